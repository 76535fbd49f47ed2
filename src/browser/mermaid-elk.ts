/** The ELK layout for diagrams: loaded by mermaid.ts when a diagram asks for it. */
import elkLayouts from "@mermaid-js/layout-elk";

window.octavoElk = elkLayouts;
