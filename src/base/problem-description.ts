/** What the documentation says about a problem. */
export interface ProblemDescription {
  severity: "error" | "warning";
  /** Title of the code's documentation page. */
  title: string;
  /** Explanation of the problem, and of its effect on the site until the problem is fixed. */
  meaning: string;
  /** How to fix the problem. */
  fix: string;
}
