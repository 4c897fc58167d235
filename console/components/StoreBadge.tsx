import { Badge } from '@mantine/core'
import { IconBrandApple, IconBrandGooglePlay } from '@tabler/icons-react'

export const STORE_NAMES: Readonly<Record<string, string>> = { apple: 'App Store', google: 'Google Play' }

export function StoreBadge({ store }: { readonly store: string }) {
  const Icon = store === 'apple' ? IconBrandApple : IconBrandGooglePlay
  return (
    <Badge variant="default" leftSection={<Icon size={12} aria-hidden />} tt="none" fw={500}>
      {STORE_NAMES[store] ?? store}
    </Badge>
  )
}
