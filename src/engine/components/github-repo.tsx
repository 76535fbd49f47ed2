import type { AuthorProps } from "../html/prop-values.ts";
import { text } from "../html/prop-values.ts";
import { linkProps } from "../html/safe-attributes.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon-image.tsx";

/**
 * Returns `owner/name` for a repository that is given in this format or as a GitHub URL. Undefined for an
 * invalid name.
 */
function repositoryOf(repo: unknown): string | undefined {
  const slug = (text(repo) ?? "")
    .replace(/^(?:https?:\/\/)?(?:www\.)?github\.com\//, "")
    .replace(/(?:\.git)?\/*$/, "");
  return /^[\w.-]+\/[\w.-]+$/.test(slug) ? slug : undefined;
}

/** A link to a GitHub repository. Renders nothing if the repository's name is invalid. */
function GitHubRepo({ repo, variant, className }: AuthorProps) {
  const slug = repositoryOf(repo);
  if (slug === undefined) return null;
  const [owner, name] = slug.split("/");
  const classes = ["o-repo", text(variant) === "flat" && "o-repo-flat", text(className)]
    .filter(Boolean)
    .join(" ");

  return (
    <a class={classes} {...linkProps(`https://github.com/${slug}`)}>
      <IconImage value="github" type="brands" />
      <span>
        {owner}/<strong>{name}</strong>
      </span>
    </a>
  );
}

export const gitHubRepo: ComponentDefinition = {
  render: GitHubRepo,
  props: "repo variant",
  markdown: {
    block({ props }) {
      const slug = repositoryOf(props.repo);
      return slug === undefined ? "" : `- [${slug}](https://github.com/${slug})`;
    },
  },
};
