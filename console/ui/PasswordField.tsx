import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** A password input that also tells screen readers that it is invalid; Mantine's own does not. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput aria-invalid={props.error ? true : undefined} {...props} />
}
