/**
 * Every text and constraint of a document is on its pages. `conservation.long.test.ts` checks all operations.
 */

import { testConservation } from "./conservation.ts";

testConservation(2);
