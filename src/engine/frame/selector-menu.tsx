import type { SiteMessages } from "../i18n/messages.ts";
import { Menu, MenuLinks } from "./menu.tsx";
import { NavIcon } from "./nav-link.tsx";
import type { Selector } from "./page-view.ts";

const selectorNames: Record<Selector["kind"], keyof SiteMessages> = {
  language: "language",
  version: "version",
  product: "product",
  dropdown: "section",
};

/** A switch between languages, versions, products or dropdowns. */
export function SelectorMenu({ selector, messages }: { selector: Selector; messages: SiteMessages }) {
  const { current } = selector;
  const name = messages[selectorNames[selector.kind]];
  return (
    <Menu
      class={`o-select o-select-${selector.kind}`}
      label={
        <>
          <span class="o-sr">{name}: </span>
          <NavIcon name={current.icon} />
          <span>
            {current.label}
            {current.tag && <small class="o-tag">{current.tag}</small>}
            {current.description && <small>{current.description}</small>}
          </span>
        </>
      }
    >
      <MenuLinks links={selector.options} messages={messages} />
    </Menu>
  );
}
