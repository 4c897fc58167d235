import { Center, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { commonTexts } from '../messages/common.ts'
import { basePath } from '../util/base-path.ts'

/** The frame of pages without a session: a centered card. */
export function SignedOutFrame({
  title,
  about,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly children: ReactNode
}) {
  useDocumentTitle(commonTexts.documentTitle(title))
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={420} radius="lg">
        <Stack gap="md">
          <Stack gap={4} align="center">
            <img src={`${basePath}/favicon.svg`} alt="" width={44} height={44} />
            <Title order={1} size="h3" ta="center">
              {title}
            </Title>
            {about !== undefined && (
              <Text c="dimmed" size="sm" ta="center">
                {about}
              </Text>
            )}
          </Stack>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}
