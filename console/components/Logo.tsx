import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { shellTexts } from '../messages/shell.ts'
import { basePath } from '../util/base-path.ts'

/** The product's name and logo, linked to the overview. */
export function Logo() {
  return (
    <Link to="/" style={{ textDecoration: 'none', color: 'inherit' }} aria-label={shellTexts.home}>
      <Group gap={8} wrap="nowrap">
        <img src={`${basePath}/favicon.svg`} alt="" width={26} height={26} />
        <Text fw={700} style={{ whiteSpace: 'nowrap' }}>
          {shellTexts.product}
        </Text>
      </Group>
    </Link>
  )
}
