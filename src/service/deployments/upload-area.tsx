import { useContext } from "preact/hooks";
import { FormToken } from "../ui/kit/form.tsx";

/**
 * Upload of an archive. With JavaScript, users can also choose a folder, or drop an archive or a folder.
 * `action`: path that the archive is sent to.
 */
export function UploadArea({ action }: { action: string }) {
  return (
    <form class="d-upload" method="post" action={action} enctype="multipart/form-data" data-upload="">
      <input type="hidden" name="_token" value={useContext(FormToken)} />
      <p class="o-js">
        <strong>Drop your documentation folder here</strong>
        <span>or drop a .zip or .tar.gz archive of up to 200 MB</span>
      </p>
      <div class="d-upload-choices">
        <label class="d-button d-button-plain o-js">
          Choose folder
          <input type="file" multiple data-folder="" />
        </label>
        <label class="d-button d-button-plain">
          Choose archive
          <input
            type="file"
            name="archive"
            accept=".zip,.tgz,.tar.gz,application/zip,application/gzip"
            required
          />
        </label>
        <button type="submit" class="d-button d-button-primary d-no-js">
          Upload
        </button>
      </div>
      <p class="d-field-error" role="alert" />
    </form>
  );
}
