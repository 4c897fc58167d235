import { Alert, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { problemsIn, statusQuery } from '../data/status.ts'
import { statusTexts } from '../messages/status.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { WithInstants } from '../ui/WithInstants.tsx'

/** The worst problem on every page, with the number of the others. Hidden without any. */
export function StatusStrip() {
  const { data } = useQuery(statusQuery)
  if (data === undefined) return null
  const [worst, ...others] = problemsIn(data)
  if (worst === undefined) return null
  return (
    <Alert color="red" variant="light" py={6} px="sm" mb="md" role="status">
      <Group gap="xs">
        <Text size="sm" lineClamp={2} style={{ flex: '1 1 200px', overflowWrap: 'anywhere' }}>
          <WithInstants text={worst.what} />
        </Text>
        <AnchorLink to="/status" size="sm">
          {others.length === 0 ? statusTexts.showStatus : statusTexts.more(others.length)}
        </AnchorLink>
      </Group>
    </Alert>
  )
}
