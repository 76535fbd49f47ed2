/** The ELK layout for diagrams. mermaid.ts loads it when a diagram uses it. */

import elkLayouts from "@mermaid-js/layout-elk";

window.octavoElk = elkLayouts;
