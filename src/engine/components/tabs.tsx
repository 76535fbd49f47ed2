import { type AuthorProps, childElements, count, flag, shown, text } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";
import { type TabPanel, TabSet } from "./tab-set.tsx";
import { blockAnchor, insidePanel, titledMarkdown } from "./titled-block.ts";

/** One panel of Tabs. Outside of Tabs, it shows its title and content. */
function Tab({ title, label, id, children }: AuthorProps) {
  return (
    <div class="o-tab-alone o-flow" id={text(id)}>
      <p class="o-tab-title">{shown(title) ?? shown(label)}</p>
      {children}
    </div>
  );
}

/** A set of tabs. Elements other than Tab are shown after the panels. */
function Tabs({ defaultTabIndex, sync, borderBottom, children }: AuthorProps) {
  const elements = childElements(children);
  const panels = elements
    .filter((child) => child.type === Tab)
    .map(({ props }, i): TabPanel => {
      const title = shown(props.title) ?? shown(props.label) ?? shown(props.value) ?? String(i + 1);
      return {
        title,
        label: text(props.title) ?? text(props.label) ?? String(i + 1),
        id: text(props.id),
        icon: text(props.icon),
        iconType: text(props.iconType),
        children: props.children,
      };
    });

  if (panels.length === 0) return <>{children}</>;

  return (
    <>
      <TabSet
        panels={panels}
        selected={count(defaultTabIndex, 0, 0, panels.length - 1)}
        sync={flag(sync, true)}
        class={flag(borderBottom) ? "o-tabset tabs o-tabset-border" : "o-tabset tabs"}
      />
      {elements.filter((child) => child.type !== Tab)}
    </>
  );
}

export const tabs: ComponentDefinition = { render: Tabs, props: "defaultTabIndex sync borderBottom" };

/**
 * Definition of `TabItem`, the name that other platforms use for Tab. The title can also be set as `label`.
 */
export const tabItem: ComponentDefinition = {
  render: Tab,
  props: "title label value default icon iconType",
  wrapsText: true,
  anchors: { ...blockAnchor, inside: insidePanel },
  markdown: { block: titledMarkdown },
};

export const tab: ComponentDefinition = {
  ...tabItem,
  props: "title label value icon iconType",
  requiredProps: ["title"],
};
