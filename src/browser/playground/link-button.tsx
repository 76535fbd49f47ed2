import { paramIdOf } from "../../engine/html/anchor-ids.ts";
import { announce } from "../announce.ts";
import { useCopied } from "../use-copied.ts";
import { useFormContext } from "./form-context.ts";
import { fill } from "./playground-messages.ts";

/**
 * Button that copies the link to a field's description on the page. Renders nothing if the page doesn't
 * describe the field.
 */
export function LinkButton({ name, path }: { name: string; path: string }) {
  const { messages } = useFormContext();
  const [isCopied, copy] = useCopied();
  const id = descriptionId(path);
  if (id === undefined) return null;

  const click = async () => {
    if (await copy(new URL(`#${encodeURI(id)}`, location.href).href)) announce(messages.copied);
  };

  return (
    <button
      type="button"
      class="o-pg-icon o-pg-link"
      aria-label={fill(messages.copyFieldLink, { name })}
      onClick={() => void click()}
    >
      <i class={`o-c ${isCopied ? "o-c-check" : "o-c-link"}`} />
    </button>
  );
}

/**
 * Returns the id of the row that describes a field such as `query.limit` or `body.items[0].id`. If another
 * section has a field with the same name, the id starts with the section. Undefined if the page doesn't
 * describe the field.
 */
function descriptionId(path: string): string | undefined {
  const plain = path.replace(/\[\d+\]/g, "");
  const ids = [paramIdOf(plain), paramIdOf(plain.replace(/^\w+\W/, ""))];
  return ids.find((id) => document.getElementById(id)?.classList.contains("o-field"));
}
