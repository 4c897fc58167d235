import { Badge } from '@mantine/core'
import { IconBrandApple, IconBrandGooglePlay } from '@tabler/icons-react'
import { STORE_NAMES } from '../../src/contract/console/display-names.ts'
import type { Store } from '../../src/model/vocabulary.ts'

export function StoreBadge({ store }: { readonly store: Store }) {
  const Icon = store === 'apple' ? IconBrandApple : IconBrandGooglePlay
  return (
    <Badge variant="default" leftSection={<Icon size={12} aria-hidden />} tt="none" fw={500}>
      {STORE_NAMES[store]}
    </Badge>
  )
}
