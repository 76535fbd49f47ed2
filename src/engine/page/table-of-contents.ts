/** Entry of a page's table of contents. */
export interface TocEntry {
  id: string;
  text: string;
  /** Depth in the list, 2 to 4. */
  level: number;
  /** Titles of the tabs and views that contain the entry, outermost first. */
  within?: string[];
}
