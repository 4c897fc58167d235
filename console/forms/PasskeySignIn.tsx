import { Button, Stack } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { browserHasPasskeys, passkeys } from '../data/passkeys.ts'
import { passkeyTexts } from '../messages/passkeys.ts'
import { FormProblem } from '../ui/FormProblem.tsx'

/** Signs in with a passkey; nothing in a browser that has none, or that cannot use one at an IP address. */
export function PasskeySignIn({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const use = useMutation({
    mutationFn: async () => {
      await passkeys.signIn()
      await onSignedIn()
    },
  })
  if (!browserHasPasskeys() || isAddress(window.location.hostname)) return null
  return (
    <Stack>
      <FormProblem error={use.error} />
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={use.isPending}
        onClick={() => use.mutate()}
      >
        {passkeyTexts.signIn}
      </Button>
    </Stack>
  )
}

function isAddress(hostname: string): boolean {
  return /^[\d.]+$|:/.test(hostname)
}
