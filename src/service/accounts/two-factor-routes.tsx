/**
 * Dashboard routes for two-factor authentication: entering the code at sign-in, setup, recovery codes, and
 * turning it off.
 */

import { AppError } from "../../base/app-error.ts";
import type { User } from "../core/identity.ts";
import type { DashboardCookies } from "../ui/dashboard-cookies.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { type DashboardRoute, publicRoute } from "../ui/route.ts";
import type { UserVisit, Visit } from "../ui/visit.ts";
import { dashboardPath } from "./dashboard-path.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { readOneTimeToken, useOneTimeToken } from "./one-time-tokens.ts";
import { recentRoute } from "./recent-route.ts";
import type { SignInOptions } from "./sign-in-routes.tsx";
import { startSession } from "./start-session.ts";
import { tellOwner } from "./tell-owner.ts";
import {
  beginTwoFactor,
  confirmTwoFactor,
  createRecoveryCodes,
  requireSecondFactor,
  turnOffTwoFactor,
  twoFactorState,
} from "./two-factor.ts";
import { RecoveryCodes, SecondStepForm, TwoFactorSetup } from "./two-factor-view.tsx";
import { findUser } from "./users.ts";

const setup = "/dashboard/account/two-factor";

export function twoFactorRoutes({ cookies }: SignInOptions): DashboardRoute[] {
  return [
    publicRoute("GET /sign-in/code", "showSignInCode", async (visit) => {
      const user = await pendingUser(visit);
      return user ? showCode(visit) : redirect("/dashboard/sign-in");
    }),
    publicRoute("POST /sign-in/code", "enterSignInCode", async (visit) => enterCode(visit, cookies), {
      showErrors: showCode,
    }),
    recentRoute("GET /account/two-factor", "showTwoFactorSetup", (visit) => showSetup(visit)),
    recentRoute("POST /account/two-factor", "turnOnTwoFactor", (visit) =>
      rerenderOnError(
        async () => {
          const { service, session, form, origin } = visit;
          const entered = {
            code: field(form, "code"),
            sealed: field(form, "sealed"),
            address: origin.address,
            browser: browserOf(visit, session.user),
          };
          const codes = await confirmTwoFactor(service, session, entered);
          tellOwner(
            service,
            session.user,
            "Two-factor authentication was turned on for your Octavo account.",
          );
          return showCodes(codes);
        },
        (errors) => showSetup(visit, errors),
      ),
    ),
    recentRoute(
      "POST /account/two-factor/recovery-codes",
      "createRecoveryCodes",
      async ({ service, session }) => {
        if (!(await twoFactorState(service, session.user.id)).isOn)
          throw new AppError("conflict", "Two-factor authentication is off. Set it up first.");
        const codes = await createRecoveryCodes(service, session.user.id);
        tellOwner(service, session.user, "New recovery codes were created for your Octavo account.");
        return showCodes(codes);
      },
    ),
    recentRoute("POST /account/two-factor/off", "turnOffTwoFactor", async ({ service, session }) => {
      await turnOffTwoFactor(service, session.user.id);
      tellOwner(service, session.user, "Two-factor authentication was turned off for your Octavo account.");
      return redirect("/dashboard/account", "two-factor-off");
    }),
  ];
}

async function enterCode(visit: Visit, cookies: DashboardCookies): Promise<DashboardResponse> {
  const { service, form } = visit;
  const user = await pendingUser(visit);
  if (!user) throw new AppError("gone", "Your sign-in expired. Enter your password again.");
  const origin = { userId: user.id, address: visit.origin.address, browser: browserOf(visit, user) };
  await requireSecondFactor(service, origin, field(form, "code"));
  if ((await useOneTimeToken(service, "second-factor", visit.cookie("second-factor")!))?.userId !== user.id)
    throw new AppError("gone", "Your sign-in expired. Enter your password again.");
  visit.cookies.push(cookies.write("second-factor", "", 0));
  const signedIn = { method: "password and code" as const, authenticatedAt: new Date() };
  return startSession(visit, cookies, user, signedIn, dashboardPath(form.get("next")));
}

/** Returns the ID of the browser if it has signed in to the account before. */
function browserOf({ service, cookie }: Visit, { email }: User): string | undefined {
  return new KnownBrowsers(service).idFor(cookie("known"), email);
}

/**
 * Returns the user who entered the correct password in this browser and still has to enter a code. Undefined
 * if there is none.
 */
async function pendingUser({ service, cookie }: Visit): Promise<User | undefined> {
  const owner = await readOneTimeToken(service, "second-factor", cookie("second-factor") ?? "");
  return owner && findUser(service, owner.userId);
}

async function showCode({ url, form }: Visit, errors?: FormErrors): Promise<DashboardResponse> {
  const next = dashboardPath(form.get("next") ?? url.searchParams.get("next"));
  return page("Two-factor authentication", <SecondStepForm next={next} errors={errors} />);
}

async function showSetup(
  { service, session, form }: UserVisit,
  errors?: FormErrors,
): Promise<DashboardResponse> {
  const { isOn } = await twoFactorState(service, session.user.id);
  if (isOn) return redirect("/dashboard/account");
  const { secret, svg, sealed } = beginTwoFactor(service, session, field(form, "sealed"));
  const qrCode = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  return page(
    "Set up two-factor authentication",
    <TwoFactorSetup action={setup} secret={secret} sealed={sealed} qrCode={qrCode} errors={errors} />,
  );
}

function showCodes(codes: readonly string[]): DashboardResponse {
  return page("Recovery codes", <RecoveryCodes codes={codes} />);
}
