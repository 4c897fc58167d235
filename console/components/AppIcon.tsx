import { Avatar } from '@mantine/core'

/** An app's icon, or its initials: the icon comes from the store's server and may be missing. */
export function AppIcon({
  name,
  iconUrl,
  size = 40,
}: {
  readonly name: string | null
  readonly iconUrl: string | null
  readonly size?: number
}) {
  return (
    <Avatar
      src={iconUrl}
      alt=""
      size={size}
      radius={size / 4}
      color="initials"
      name={name ?? '?'}
      imageProps={{ referrerPolicy: 'no-referrer', loading: 'lazy' }}
    />
  )
}
