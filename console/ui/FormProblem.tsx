import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'

/** The service's error about a form, shown above its fields. */
export function FormProblem({ error }: { readonly error: Error | null }) {
  if (error === null) return null
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle aria-hidden />} role="alert">
      {error.message}
    </Alert>
  )
}
