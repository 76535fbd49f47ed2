import { LinkButton, PostButton } from "../ui/kit/form.tsx";
import { Note } from "../ui/kit/page-parts.tsx";
import { Time } from "../ui/kit/time.tsx";
import type { NewMethod } from "./new-methods.ts";

/** Lists new sign-in methods at the top of every page. Each can be removed with one click. */
export function NewMethods({ methods }: { methods: readonly NewMethod[] }) {
  return (
    <section aria-label="New sign-in methods">
      <Note kind="warning">
        <p>
          These sign-in methods of your account are new. If you didn't add one, remove it. You'll be signed
          out on all other devices.
        </p>
        <ul>
          {methods.map(({ kind, id, name, addedAt, isRemovable }) => (
            <li key={`${kind} ${id}`}>
              {name[0]!.toUpperCase() + name.slice(1)}, added <Time at={addedAt} />{" "}
              {isRemovable ? (
                <PostButton action="/dashboard/account/new-methods/remove" values={{ kind, id }} of={name}>
                  Remove
                </PostButton>
              ) : (
                <LinkButton href="/dashboard/account">Change password</LinkButton>
              )}
            </li>
          ))}
        </ul>
        <PostButton action="/dashboard/account/new-methods/confirm">I added all of them</PostButton>
      </Note>
    </section>
  );
}
