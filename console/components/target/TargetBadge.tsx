import { Badge } from '@mantine/core'
import type { TargetType } from '../../../src/model/target.ts'
import { TargetIcon } from '../../forms/target/TargetIcon.tsx'
import { targetTypeTexts } from '../../messages/target.ts'

/** The type of a destination with messages; nothing for a webhook. */
export function TargetBadge({ type }: { readonly type: TargetType }) {
  if (type === 'webhook') return null
  return (
    <Badge variant="default" tt="none" leftSection={<TargetIcon type={type} size={12} />}>
      {targetTypeTexts[type].name}
    </Badge>
  )
}
