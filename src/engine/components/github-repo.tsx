import type { AuthorProps } from "../html/prop-values.ts";
import { text } from "../html/prop-values.ts";
import { linkProps } from "../html/safe-attributes.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon-image.tsx";

/** A link to a GitHub repository. Renders nothing for an invalid name. */
function GitHubRepo({ repo, variant, className }: AuthorProps) {
  const slug = (text(repo) ?? "").replace(/^(?:https?:\/\/)?(?:www\.)?github\.com\//, "").replace(/(?:\.git)?\/*$/, "");
  if (!/^[\w.-]+\/[\w.-]+$/.test(slug)) return null;
  const [owner, name] = slug.split("/");
  const classes = ["o-repo", text(variant) === "flat" && "o-repo-flat", text(className)].filter(Boolean).join(" ");
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
  markdown: {
    block({ props }) {
      const repo = text(props.repo);
      return repo ? `- [${repo}](https://github.com/${repo.replace(/^https:\/\/github\.com\//, "")})` : "";
    },
  },
};
