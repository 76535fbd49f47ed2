/** Provides the ELK layout for diagrams. mermaid.ts loads this script when a diagram uses the layout. */

import elkLayouts from "@mermaid-js/layout-elk";

window.octavoElk = elkLayouts;
