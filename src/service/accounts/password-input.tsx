import { Input } from "../ui/kit/form.tsx";

/** A field for the current password, which password managers fill. */
export function PasswordInput({
  name = "password",
  label = "Current password",
}: {
  name?: string;
  label?: string;
}) {
  return (
    <Input
      name={name}
      errorName="currentPassword"
      label={label}
      type="password"
      isRequired
      autocomplete="current-password"
    />
  );
}
