/** The language server in Neovim: diagnostics that follow edits, hover, and definitions. */

import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root, runOctavo, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";

const isInstalled = spawnSync("nvim", ["--version"], { stdio: "ignore" }).status === 0;
if (!isInstalled) console.error("The language server isn't tested in Neovim: it isn't installed.");

const folder = temporaryFolder();
const files = siteOf({
  "index.mdx": "---\ntitle: Home\n---\n\n[Broken](/nowhere)\n\n<Card title='Start' />\n\n[Other](/other)\n",
  "other.mdx": "---\ntitle: Other\n---\n\nText.\n",
});

/** Lua that opens a page, edits it, and prints what Neovim knows as JSON lines. */
const script = `
vim.filetype.add({ extension = { mdx = "mdx" } })
vim.cmd("edit index.mdx")
local command = { "${process.execPath}", "${path.join(root, "bin/octavo.js")}", "lsp" }
local id = vim.lsp.start_client({ name = "octavo", cmd = command, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)

local function say(value) io.stdout:write(vim.fn.json_encode(value), "\\n") end
local function diagnostics(count)
  vim.wait(60000, function() return #vim.diagnostic.get(0) == count end, 50)
  say(vim.tbl_map(function(found) return { line = found.lnum + 1, message = found.message } end, vim.diagnostic.get(0)))
end
local function ask(method, line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  local answers = vim.lsp.buf_request_sync(0, method, vim.lsp.util.make_position_params(), 30000)
  say(answers[id].result)
end

diagnostics(1)
vim.api.nvim_buf_set_lines(0, 4, 5, false, { "[Fine](/other)" })
diagnostics(0)
vim.api.nvim_buf_set_lines(0, 9, 9, false, { "", "<Missing />" })
diagnostics(1)
ask("textDocument/hover", 7, 3)
ask("textDocument/definition", 5, 9)
vim.cmd("qa!")
`;

test.skipIf(!isInstalled)(
  "Neovim shows the problems of octavo check after each edit",
  async () => {
    const docs = writeFiles(path.join(folder, "docs"), files);
    const file = path.join(folder, "edit.lua");
    writeFileSync(file, script);
    const { stdout } = await promisify(execFile)(
      "nvim",
      ["--headless", "-u", "NONE", "-c", `luafile ${file}`],
      {
        cwd: docs,
      },
    );
    const lines = stdout.trim().split("\n");
    const [before, mended, changed, hover, definition] = lines.map((line) => JSON.parse(line));

    const { out } = await runOctavo(["check", docs, "--format", "json"]);
    const problems = (JSON.parse(out) as { problems: { line: number; message: string }[] }).problems;
    expect(before).toEqual(problems.map(({ line, message }) => ({ line, message })));
    expect(mended).toEqual([]);
    expect(changed).toEqual([{ line: 11, message: expect.stringContaining("Missing") }]);
    expect(hover.contents.value).toContain("**<Card>**");
    expect(JSON.stringify(definition)).toContain("other.mdx");
  },
  180_000,
);
