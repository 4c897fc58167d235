import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'

/** Why the service refused a form, in its own sentence, above the fields. Nothing when it did not. */
export function FormProblem({ error }: { readonly error: Error | null }) {
  if (error === null) return null
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle aria-hidden />} role="alert">
      {error.message}
    </Alert>
  )
}
