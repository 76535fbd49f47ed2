import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { all } from "../dom.ts";

/**
 * Starts the passkey forms: on submit, the browser asks for the passkey, and then the form is sent with the
 * response.
 */
export function startPasskeys(): void {
  for (const section of all("[data-passkey]")) {
    const form = section.querySelector("form")!;
    const error = section.querySelector<HTMLElement>("[role=alert]")!;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      event.stopPropagation();
      error.hidden = true;
      const options: unknown = JSON.parse(section.dataset.options!);
      try {
        const response =
          section.dataset.passkey === "create"
            ? await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
            : await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
        form.querySelector<HTMLInputElement>("[name=response]")!.value = JSON.stringify(response);
        form.submit();
      } catch {
        error.textContent = error.dataset.cancelled ?? "";
        error.hidden = false;
      }
    });
  }
}
