import { Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReviewSearch } from '../data/search.ts'
import { useSavedViews } from '../data/views.ts'
import { commonTexts } from '../messages/common.ts'
import { viewTexts } from '../messages/reviews.tsx'

/** Named filters, stored in this browser. */
export function SavedViews({
  filters,
  isFiltered,
}: {
  readonly filters: ReviewSearch
  readonly isFiltered: boolean
}) {
  const { saved, save, remove } = useSavedViews()
  const navigate = useNavigate()
  const [naming, setNaming] = useState(false)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
            {viewTexts.title}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{saved.length === 0 ? viewTexts.empty : viewTexts.savedHere}</Menu.Label>
          {saved.map((view) => (
            <Menu.Item
              key={view.name}
              onClick={() => void navigate({ to: '/reviews', search: view.filters })}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={!isFiltered} onClick={() => setNaming(true)}>
            {viewTexts.save}
          </Menu.Item>
          {saved.map(({ name }) => (
            <Menu.Item key={name} color="red" onClick={() => remove(name)}>
              {viewTexts.delete(name)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <NameModal
          onClose={() => setNaming(false)}
          onName={(name) => {
            save({ name, filters })
            setNaming(false)
          }}
        />
      )}
    </>
  )
}

function NameModal({
  onName,
  onClose,
}: {
  readonly onName: (name: string) => void
  readonly onClose: () => void
}) {
  const [name, setName] = useState('')
  return (
    <Modal opened onClose={onClose} title={viewTexts.save}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') onName(name.trim())
        }}
      >
        <TextInput
          label={commonTexts.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={60}
          data-autofocus
        />
        <Group justify="flex-end" mt="md">
          <Button type="submit" disabled={name.trim() === ''}>
            {viewTexts.submit}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
