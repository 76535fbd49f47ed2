/**
 * Starts the browsers of Debian's packages and sends WebDriver commands to them: to Firefox with Marionette, its
 * own protocol for these commands, and to WebKitGTK through its driver.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../service/postgres.ts";
import { until } from "../service/until.ts";

const programs = {
  Firefox: "/usr/bin/firefox-esr",
  WebKitGTK: "/usr/bin/WebKitWebDriver",
} as const;
const xvfb = "/usr/bin/Xvfb";
const miniBrowsers = ["4.1", "4.0", "6.0"].map((version) =>
  path.join("/usr/lib", "x86_64-linux-gnu", `webkit2gtk-${version}`, "MiniBrowser"),
);

export type BrowserName = keyof typeof programs;
export const browserNames = Object.keys(programs) as BrowserName[];

export const isInstalled = (name: BrowserName): boolean =>
  existsSync(programs[name]) && (name === "Firefox" || (existsSync(xvfb) && miniBrowserPath() !== undefined));

const miniBrowserPath = () => miniBrowsers.find((file) => existsSync(file));

/** Commands with their names in Marionette, and the methods and paths of WebDriver. */
const commands = {
  open: ["WebDriver:Navigate", "POST", "url"],
  back: ["WebDriver:Back", "POST", "back"],
  reload: ["WebDriver:Refresh", "POST", "refresh"],
  run: ["WebDriver:ExecuteScript", "POST", "execute/sync"],
  click: ["WebDriver:ElementClick", "POST", "element/{id}/click"],
  clear: ["WebDriver:ElementClear", "POST", "element/{id}/clear"],
  fill: ["WebDriver:ElementSendKeys", "POST", "element/{id}/value"],
  act: ["WebDriver:PerformActions", "POST", "actions"],
  window: ["WebDriver:GetWindowHandle", "GET", "window"],
  windows: ["WebDriver:GetWindowHandles", "GET", "window/handles"],
  enterWindow: ["WebDriver:SwitchToWindow", "POST", "window"],
  closeWindow: ["WebDriver:CloseWindow", "DELETE", "window"],
  resize: ["WebDriver:SetWindowRect", "POST", "window/rect"],
  screenshot: ["WebDriver:TakeScreenshot", "GET", "screenshot"],
  print: ["WebDriver:Print", "POST", "print"],
} as const;
export type Command = keyof typeof commands;

export interface Driver {
  name: BrowserName;
  /** Rejects if the browser reports an error. */
  send(command: Command, parameters?: Record<string, unknown>): Promise<unknown>;
  /** Continues with one window and without the data of earlier sites. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const startBrowser = (name: BrowserName): Promise<Driver> =>
  name === "Firefox" ? startFirefox() : startWebKit();

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await ended;
}

async function startFirefox(): Promise<Driver> {
  const profile = mkdtempSync(path.join(tmpdir(), "octavo-firefox-"));
  writeFileSync(path.join(profile, "user.js"), 'user_pref("marionette.port", 0);\n');
  const args = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote"];
  const firefox = spawn(programs.Firefox, [...args, "--profile", profile], { stdio: "ignore" });
  const portFile = path.join(profile, "MarionetteActivePort");
  await until(async () => existsSync(portFile) && readFileSync(portFile, "utf8") !== "");
  const socket = connect(Number(readFileSync(portFile, "utf8")), "127.0.0.1");
  const call = marionette(socket);
  await call("WebDriver:NewSession", {});

  /** Runs a script with access to the browser itself. */
  const runInBrowser = async (script: string) => {
    await call("Marionette:SetContext", { value: "chrome" });
    await call("WebDriver:ExecuteAsyncScript", { script, args: [] });
    await call("Marionette:SetContext", { value: "content" });
  };
  return {
    name: "Firefox",
    send: (command, parameters = {}) => call(commands[command][0], parameters),
    async restart() {
      const [first, ...others] = (await call("WebDriver:GetWindowHandles", {})) as string[];
      for (const handle of others) {
        await call("WebDriver:SwitchToWindow", { handle });
        await call("WebDriver:CloseWindow", {});
      }
      await call("WebDriver:SwitchToWindow", { handle: first });
      await call("WebDriver:Navigate", { url: "about:blank" });
      // Windows can be as narrow as phones.
      await runInBrowser(`
        document.documentElement.style.minWidth = "0";
        Services.clearData.deleteData(Ci.nsIClearDataService.CLEAR_ALL, arguments[0]);`);
    },
    async stop() {
      socket.destroy();
      await end(firefox);
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Messages are JSON after their length in bytes: [0, id, name, parameters] and [1, id, error, result]. */
function marionette(socket: Socket) {
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let received = Buffer.alloc(0);
  let count = 0;
  socket.on("data", (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      const start = received.indexOf(":") + 1;
      const end = start + Number(received.subarray(0, Math.max(0, start - 1)));
      if (start === 0 || received.length < end) return;
      const message = JSON.parse(received.subarray(start, end).toString());
      received = received.subarray(end);
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message;
      const { resolve, reject } = pending.get(id)!;
      pending.delete(id);
      if (error) reject(new Error(`${error.error}: ${error.message}`));
      else resolve(result !== null && "value" in result ? result.value : result);
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const { reject } of pending.values()) reject(new Error("Firefox has ended"));
  });

  return (name: string, parameters: object) =>
    new Promise<unknown>((resolve, reject) => {
      count += 1;
      pending.set(count, { resolve, reject });
      const message = JSON.stringify([0, count, name, parameters]);
      socket.write(`${Buffer.byteLength(message)}:${message}`);
    });
}

async function startWebKit(): Promise<Driver> {
  const screen = spawn(xvfb, ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = await new Promise<string>((resolve) =>
    screen.stdio[3]!.once("data", (bytes) => resolve(String(bytes).trim())),
  );
  const port = await freePort();
  const driver = spawn(programs.WebKitGTK, [`--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env,
      DISPLAY: `:${display}`,
      GDK_BACKEND: "x11",
      LANG: "en_US.UTF-8",
      LC_ALL: "",
      LIBGL_ALWAYS_SOFTWARE: "1",
    },
  });
  const call = async (method: string, at: string, parameters?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/${at}`, {
      method,
      signal: AbortSignal.timeout(30_000),
      ...(method === "POST" ? { body: JSON.stringify(parameters ?? {}) } : {}),
    });
    const { value } = (await response.json()) as { value: { error: string; message: string } };
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value as unknown;
  };
  await until(() =>
    call("GET", "status").then(
      () => true,
      () => false,
    ),
  );

  let session = "";
  const capabilities = {
    alwaysMatch: {
      "webkitgtk:browserOptions": { binary: miniBrowserPath(), args: ["--automation", "--full-screen"] },
    },
  };
  const quit = async () => {
    if (session) await call("DELETE", `session/${session}`);
  };
  return {
    name: "WebKitGTK",
    send: (command, parameters = {}) => {
      const [, method, at] = commands[command];
      return call(method, `session/${session}/${at.replace("{id}", String(parameters["id"]))}`, parameters);
    },
    async restart() {
      await quit();
      session = ((await call("POST", "session", { capabilities })) as { sessionId: string }).sessionId;
    },
    async stop() {
      await quit().catch(() => {});
      await end(driver);
      await end(screen);
    },
  };
}
