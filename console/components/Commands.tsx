import { ActionIcon, Kbd, Modal, Stack, Table, Text, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { commandTexts } from '../messages/shell.ts'
import { usePageKeys } from '../ui/use-page-keys.ts'
import type { PageLink } from './Palette.tsx'

/** Loaded when first opened. */
const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

const KEYS: readonly (readonly [keys: string, about: string])[] = [
  [commandTexts.openKeys, commandTexts.openAbout],
  ['j', commandTexts.nextReview],
  ['k', commandTexts.previousReview],
  ['Enter', commandTexts.openReview],
  ['Escape', commandTexts.closeReview],
  ['s', commandTexts.markSeen],
  ['d', commandTexts.markDone],
  ['?', commandTexts.showShortcuts],
]

/** The command palette and the list of keyboard shortcuts, in the header of every page. */
export function Commands({ pages }: { readonly pages: readonly PageLink[] }) {
  const [isOpen, setOpen] = useState(false)
  /** It closes with a transition, so that it stays once it is loaded. */
  const wasOpened = useRef(false)
  wasOpened.current ||= isOpen
  const [help, setHelp] = useState(false)
  const open = () => setOpen(true)
  useHotkeys([['mod+K', open]], [])
  // On some keyboard layouts, a question mark needs Shift.
  usePageKeys([
    ['?', () => setHelp(true)],
    ['shift+?', () => setHelp(true)],
  ])
  return (
    <>
      <Tooltip label={commandTexts.goToKeys}>
        <ActionIcon variant="subtle" color="gray" onClick={open} aria-label={commandTexts.goTo}>
          <IconSearch size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {wasOpened.current && (
        <Suspense>
          <Palette isOpen={isOpen} onClose={() => setOpen(false)} pages={pages} />
        </Suspense>
      )}
      <Modal opened={help} onClose={() => setHelp(false)} title={commandTexts.shortcuts}>
        <Stack>
          <Table variant="vertical" withRowBorders={false}>
            <Table.Tbody>
              {KEYS.map(([keys, about]) => (
                <Table.Tr key={keys}>
                  <Table.Th w={150}>
                    <Kbd>{keys}</Kbd>
                  </Table.Th>
                  <Table.Td>{about}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Text size="sm" c="dimmed">
            {commandTexts.shortcutsNote}
          </Text>
        </Stack>
      </Modal>
    </>
  )
}
