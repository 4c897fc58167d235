import { Button, Group, Menu, Modal, Text, TextInput } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReviewSearch } from '../data/search.ts'
import { type LocalView, type SavedView, savedViews, useLocalViews, viewsQuery } from '../data/views.ts'
import { problemBeside, problemsOf } from '../forms/problems.ts'
import { commonTexts } from '../messages/common.ts'
import { viewTexts } from '../messages/reviews.tsx'
import { notifyFailed, notifyUndoable } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { useMayChange } from './MayChange.tsx'

/** Named filters of the account, loaded when the menu opens, and what can be made of the present ones. */
export function SavedViews({
  filters,
  isFiltered,
}: {
  readonly filters: ReviewSearch
  readonly isFiltered: boolean
}) {
  const [naming, setNaming] = useState(false)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
            {viewTexts.title}
          </Button>
        </Menu.Target>
        <Menu.Dropdown miw={260} mah="70vh" style={{ overflowY: 'auto' }}>
          <Views filters={filters} isFiltered={isFiltered} onSave={() => setNaming(true)} />
        </Menu.Dropdown>
      </Menu>
      {naming && <NameModal filters={filters} onClose={() => setNaming(false)} />}
    </>
  )
}

function Views({
  filters,
  isFiltered,
  onSave,
}: {
  readonly filters: ReviewSearch
  readonly isFiltered: boolean
  readonly onSave: () => void
}) {
  const views = useQuery(viewsQuery)
  const local = useLocalViews()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const mayChange = useMayChange()
  const refresh = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
  const open = (search: ReviewSearch) => void navigate({ to: '/reviews', search })
  const remove = async (view: SavedView) => {
    try {
      await savedViews.remove(view.id)
      await refresh()
      notifyUndoable({
        message: viewTexts.deleted(view.name),
        onUndo: () => void savedViews.save(view.name, view.filters).then(refresh, notifyFailed),
      })
    } catch (error) {
      notifyFailed(error)
    }
  }
  const forget = (view: LocalView) => {
    local.forget(view.name)
    notifyUndoable({ message: viewTexts.deleted(view.name), onUndo: () => local.keep(view) })
  }
  const share = async (name: string, search: ReviewSearch) => {
    try {
      await savedViews.save(name, search)
      local.forget(name)
      await refresh()
    } catch (error) {
      notifyFailed(error)
    }
  }
  return (
    <>
      <Menu.Label>
        {views.isPending ? viewTexts.loading : views.data?.length === 0 ? viewTexts.empty : viewTexts.shared}
      </Menu.Label>
      {views.isError && (
        <Text size="sm" c="red" px="sm" py={4} maw={300} role="alert">
          {viewTexts.failed(views.error.message)}
        </Text>
      )}
      {views.data?.map((view) => (
        <Menu.Item key={view.id} onClick={() => open(view.filters)}>
          {view.name}
          <Text size="xs" c="dimmed">
            {viewTexts.by(view.author)}
          </Text>
        </Menu.Item>
      ))}
      {local.views.length > 0 && <Menu.Label>{viewTexts.savedHere}</Menu.Label>}
      {local.views.map((view) => (
        <Menu.Item key={view.name} onClick={() => open(view.filters)}>
          {view.name}
        </Menu.Item>
      ))}
      {mayChange && (
        <>
          <Menu.Divider />
          <Menu.Item disabled={!isFiltered} onClick={onSave}>
            {viewTexts.save}
          </Menu.Item>
          <Menu.Item
            disabled={!isFiltered}
            onClick={() => void navigate({ to: '/destinations/new', search: filters })}
          >
            {viewTexts.makeDestination}
          </Menu.Item>
          {local.views.map((view) => (
            <Menu.Item key={view.name} onClick={() => void share(view.name, view.filters)}>
              {viewTexts.share(view.name)}
            </Menu.Item>
          ))}
          {views.data?.map((view) => (
            <Menu.Item key={view.id} onClick={() => void remove(view)}>
              {viewTexts.delete(view.name)}
            </Menu.Item>
          ))}
        </>
      )}
      {local.views.map((view) => (
        <Menu.Item key={view.name} onClick={() => forget(view)}>
          {viewTexts.forget(view.name)}
        </Menu.Item>
      ))}
    </>
  )
}

function NameModal({ filters, onClose }: { readonly filters: ReviewSearch; readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () => savedViews.save(name.trim(), filters),
    onSuccess: async () => {
      onClose()
      await queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
    },
  })
  return (
    <Modal opened onClose={onClose} title={viewTexts.save}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') save.mutate()
        }}
      >
        <FormProblem error={problemBeside(save.error, ['name'])} />
        <TextInput
          label={commonTexts.name}
          description={viewTexts.nameNote}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problemsOf(save.error).name}
          maxLength={60}
          data-autofocus
        />
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            {viewTexts.submit}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
