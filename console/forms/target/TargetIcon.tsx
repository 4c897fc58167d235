import {
  IconBraces,
  IconHash,
  IconMail,
  IconMessageCircle,
  IconSend,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import type { TargetType } from '../../../src/model/target.ts'

/** General icons, not the services' logos. */
const ICONS = {
  webhook: IconWebhook,
  slack: IconHash,
  teams: IconUsers,
  discord: IconMessageCircle,
  telegram: IconSend,
  email: IconMail,
  http: IconBraces,
} as const

export function TargetIcon({ type, size = 18 }: { readonly type: TargetType; readonly size?: number }) {
  const Icon = ICONS[type]
  return <Icon aria-hidden size={size} stroke={1.75} style={{ flexShrink: 0 }} />
}
