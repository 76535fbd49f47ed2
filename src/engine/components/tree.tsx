import type { ComponentChildren, VNode } from "preact";
import { limits } from "../../base/limits.ts";
import type { ContentNode } from "../content.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { childElements, flag, text, textBelow } from "../html/prop-values.ts";
import { spaced } from "../html/spaced.ts";
import { indentAll } from "../write-markdown.ts";
import type { ComponentDefinition, MarkdownWriter } from "./component.ts";

/**
 * A tree of files, from Tree.Folder and Tree.File elements or from lists. List items with a trailing slash or
 * a nested list are folders.
 */
function Tree({ children }: AuthorProps) {
  const elements = childElements(children);
  const lists = elements.filter((child) => child.type === "ul" || child.type === "ol");
  return (
    <div class="o-files">
      <ul>{lists.length > 0 ? lists.map((list, i) => <ListItems key={i} list={list} />) : children}</ul>
    </div>
  );
}

function TreeFolder({ name, defaultOpen, openable, highlight, comment, children }: AuthorProps) {
  return (
    <FolderItem
      name={text(name) ?? ""}
      open={flag(defaultOpen) || !flag(openable, true)}
      fixed={!flag(openable, true)}
      marked={flag(highlight)}
      comment={text(comment)}
    >
      {children}
    </FolderItem>
  );
}

function TreeFile({ name, highlight, comment }: AuthorProps) {
  return <FileItem name={text(name) ?? ""} marked={flag(highlight)} comment={text(comment)} />;
}

interface ItemProps {
  name: ComponentChildren;
  marked: boolean;
  comment?: string | undefined;
}

function FileItem({ name, marked, comment }: ItemProps) {
  return (
    <li class={marked ? "o-files-file o-files-marked" : "o-files-file"}>
      <Label name={name} comment={comment} />
    </li>
  );
}

function Label({ name, comment }: Omit<ItemProps, "marked">) {
  return (
    <>
      {spaced([
        <span class="o-files-name">{name}</span>,
        comment ? <span class="o-files-comment">{comment}</span> : null,
      ])}
    </>
  );
}

function FolderItem({
  name,
  marked,
  comment,
  open,
  fixed,
  children,
}: ItemProps & { open: boolean; fixed: boolean; children: ComponentChildren }) {
  const label = <Label name={name} comment={comment} />;

  return (
    <li class={marked ? "o-files-folder o-files-marked" : "o-files-folder"}>
      {fixed ? (
        <>
          <span class="o-files-fixed">{label}</span>
          <ul>{children}</ul>
        </>
      ) : (
        <details class="o-files-node" open={open}>
          <summary>{label}</summary>
          <ul>{children}</ul>
        </details>
      )}
    </li>
  );
}

function ListItems({ list }: { list: VNode<AuthorProps> }) {
  return (
    <>
      {childElements(list.props.children).map(
        (item, i) => item.type === "li" && <ListItem key={i} item={item} />,
      )}
    </>
  );
}

function ListItem({ item }: { item: VNode<AuthorProps> }) {
  const isList = (child: VNode<AuthorProps>) => child.type === "ul" || child.type === "ol";
  const nested = childElements(item.props.children).filter(isList);
  const whole = textBelow(item.props.children);
  const label = nested.reduce((rest, list) => rest.replace(textBelow(list.props.children), ""), whole).trim();
  const marked = childElements(item.props.children).some((child) => child.type === "strong");
  const [, name = label, comment] = /^(\S.*?)(?:\s+(?:#|—|–|\/\/)\s+(.*))?$/s.exec(label) ?? [];
  if (nested.length === 0 && !name.endsWith("/"))
    return <FileItem name={name} marked={marked} comment={comment} />;

  return (
    <FolderItem name={name.replace(/\/$/, "")} marked={marked} comment={comment} open fixed={false}>
      {nested.map((list, i) => (
        <ListItems key={i} list={list} />
      ))}
    </FolderItem>
  );
}

function markdown(nodes: readonly ContentNode[], writer: MarkdownWriter, depth: number): string {
  if (depth > limits.nesting_levels) return "";
  const lines = nodes.map((node) => {
    if (typeof node === "string") return "";
    const name = text(node.props.name) ?? "";
    if (node.name === "Tree.File") return `- ${name}`;
    if (node.name !== "Tree.Folder") return writer.block(node, depth + 1);
    return [`- ${name}/`, indentAll(markdown(node.children, writer, depth + 1), "  ")]
      .filter(Boolean)
      .join("\n");
  });
  return lines.filter(Boolean).join("\n");
}

export const tree: ComponentDefinition = {
  render: Tree,
  markdown: { block: ({ children }, writer, depth) => markdown(children, writer, depth) },
};
export const treeFolder: ComponentDefinition = {
  render: TreeFolder,
  props: "name defaultOpen openable highlight comment",
};
export const treeFile: ComponentDefinition = { render: TreeFile, props: "name highlight comment" };
