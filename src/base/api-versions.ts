/** Versions of the OpenAPI documents of a site, from the history of its repository. */

/** `api.changes` in docs.json, as far as it chooses versions. */
export interface VersionSettings {
  /**
   * `tags`: each tag. `releases`: each tag that is a semantic version without a pre-release. `days`: the last
   * commit of each day that changed a document.
   */
  source?: "tags" | "releases" | "days";
  /** The first version: the name of a tag, or a day as YYYY-MM-DD. Default: the first one in the history. */
  since?: string;
}

export interface ApiVersion {
  /** The tag or the day. */
  label: string;
  /** Day of the commit in UTC: YYYY-MM-DD. */
  date: string;
  /** Identifies the content of a file. Undefined if the version doesn't have the file. */
  idOf(file: string): string | undefined;
  /**
   * Returns a file that the version has. Undefined if the repository doesn't contain it, such as a partial
   * clone.
   */
  textOf(file: string): string | undefined;
}

export interface ApiVersions {
  /** Oldest first. The first one is only compared with. */
  versions: ApiVersion[];
  /**
   * `none`: there is no Git history. `cut`: the checkout is shallow. `late`: the history of a repository on a
   * server couldn't be read, took too long, or has too many bytes. `many`: there are more versions than
   * `apiVersions_count`. `unknown`: no version matches `since`.
   */
  history: "complete" | "cut" | "late" | "many" | "none" | "unknown";
}

/** Maximum number of versions. */
export const apiVersions_count = 100;

/** Reads the versions of files. `files`: paths in the documentation folder. */
export type ReadVersions = (settings: VersionSettings, files: readonly string[]) => ApiVersions;
