/**
 * The oldest browsers that scripts and styles are built for. They can show pages and search; docs/reference/browsers.mdx
 * lists those in which everything works.
 */
export const browsers = ["chrome109", "edge109", "firefox115", "safari16.4"];
