import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** A password input that screen readers announce as invalid, unlike Mantine's own. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput aria-invalid={props.error ? true : undefined} {...props} />
}
