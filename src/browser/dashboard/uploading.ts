import { type AsyncZippable, zip } from "fflate";
import { isInSkippedFolder } from "../../base/skipped-folders.ts";
import { announce } from "../announce.ts";
import { all } from "../dom.ts";

/**
 * Starts the upload areas. A dropped or chosen archive is submitted with the area's form. Other files and
 * folders are zipped first.
 */
export function startUploading(): void {
  for (const area of all<HTMLFormElement>("form[data-upload]")) {
    const input = area.querySelector<HTMLInputElement>('input[name="archive"]')!;
    const folder = area.querySelector<HTMLInputElement>("input[data-folder]")!;
    // Not part of the HTML standard.
    folder.webkitdirectory = true;
    const submit = (files: FileList) => {
      input.files = files;
      area.classList.add("d-busy");
      area.requestSubmit();
    };
    const alert = area.querySelector<HTMLElement>('[role="alert"]')!;
    const submitFolder = async (listFiles: () => Promise<readonly FolderFile[]>) => {
      announce("Compressing files");
      alert.textContent = "";
      area.classList.add("d-busy");
      try {
        const transfer = new DataTransfer();
        transfer.items.add(
          new File([await packed(await listFiles())], "folder.zip", { type: "application/zip" }),
        );
        submit(transfer.files);
      } catch {
        area.classList.remove("d-busy");
        alert.textContent = "The folder couldn't be read. Try again, or upload an archive instead.";
      }
    };
    input.addEventListener("change", () => input.files?.length && submit(input.files));
    folder.addEventListener("change", () => {
      const files = [...(folder.files ?? [])];
      if (files.length)
        void submitFolder(async () => files.map((file) => ({ path: file.webkitRelativePath, file })));
    });
    area.addEventListener("dragover", (event) => {
      event.preventDefault();
      area.classList.add("d-over");
    });
    area.addEventListener("dragleave", () => area.classList.remove("d-over"));
    area.addEventListener("drop", async (event) => {
      event.preventDefault();
      area.classList.remove("d-over");
      const { items, files } = event.dataTransfer!;
      // The entries must be read before the event ends.
      const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
      const isArchive =
        files.length === 1 && entries[0]?.isFile && /\.(?:zip|tgz|tar\.gz)$/i.test(files[0]!.name);
      if (isArchive) return submit(files);
      await submitFolder(async () => (await Promise.all(entries.map((entry) => filesOf(entry, "")))).flat());
    });
  }
}

interface FolderFile {
  path: string;
  file: File;
}

/** Lists the files of a dropped file or folder with their paths. Leaves out skipped folders. */
async function filesOf(entry: FileSystemEntry, parent: string): Promise<FolderFile[]> {
  const path = parent + entry.name;
  if (isInSkippedFolder(path)) return [];

  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path, file }];
  }

  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FolderFile[] = [];
  for (;;) {
    // Browsers return the entries in batches. The last batch is empty.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return found;
    for (const child of batch) found.push(...(await filesOf(child, `${path}/`)));
  }
}

async function packed(files: readonly FolderFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const contents: AsyncZippable = {};
  for (const { path, file } of files)
    if (!isInSkippedFolder(path)) contents[path] = new Uint8Array(await file.arrayBuffer());
  return new Promise((resolve, reject) =>
    zip(contents, { level: 6, consume: true }, (error, bytes) =>
      error ? reject(error) : resolve(bytes as Uint8Array<ArrayBuffer>),
    ),
  );
}
