import {
  ActionIcon,
  AppShell,
  Badge,
  Box,
  Burger,
  Group,
  Menu,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconActivity,
  IconApps,
  IconChevronDown,
  IconGitCompare,
  IconHeartbeat,
  IconInbox,
  IconLayoutDashboard,
  IconMailOff,
  IconMessages,
  IconMoon,
  IconSend,
  IconServer,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { deadCountQuery } from '../data/deliveries.ts'
import { useLiveUpdates } from '../data/live.ts'
import { enterAccount, leave, useSession } from '../data/session.ts'
import { shellTexts } from '../messages/shell.ts'
import { notifyFailed } from '../ui/confirm.tsx'
import { MenuLink, NavigationLink } from '../ui/links.tsx'
import { basePath } from '../util/base-path.ts'
import { number } from '../util/numbers.ts'
import { Commands } from './Commands.tsx'
import { Logo } from './Logo.tsx'
import { StatusStrip } from './StatusStrip.tsx'

const STATUS = '/status'
const PAGES = [
  { label: shellTexts.overview, to: '/', icon: IconLayoutDashboard },
  { label: shellTexts.apps, to: '/apps', icon: IconApps },
  { label: shellTexts.reviews, to: '/reviews', icon: IconMessages },
  { label: shellTexts.compare, to: '/compare', icon: IconGitCompare },
  { label: shellTexts.inbox, to: '/inbox', icon: IconInbox },
  { label: shellTexts.destinations, to: '/destinations', icon: IconSend },
  { label: shellTexts.deliveries, to: '/deliveries', icon: IconActivity },
  { label: shellTexts.deadLetters, to: '/dead-letters', icon: IconMailOff },
  { label: shellTexts.status, to: STATUS, icon: IconHeartbeat },
  { label: shellTexts.account, to: '/account', icon: IconUserCircle },
] as const
const SYSTEM = { label: shellTexts.system, to: '/system', icon: IconServer } as const

/** The frame of every signed-in page: navigation on the left, or in a menu on narrow screens. */
export function Shell() {
  const session = useSession()
  const [opened, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  useLiveUpdates(session.state)
  useFocusOnPage(pathname)
  const pages = session.operator ? [...PAGES, SYSTEM] : PAGES
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#main" className="skip-link">
        {shellTexts.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? shellTexts.closeNavigation : shellTexts.openNavigation}
              aria-expanded={opened}
            />
            <Logo />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Commands pages={pages} />
            <SchemeButton />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={shellTexts.pages}>
        {pages.map(({ label, to, icon: Icon }) => {
          const active = to === '/' ? pathname === '/' : navigationPathOf(pathname).startsWith(to)
          return (
            <NavigationLink
              key={to}
              to={to}
              label={label}
              leftSection={<Icon size={18} aria-hidden />}
              rightSection={to === '/dead-letters' && <DeadLetterCount />}
              active={active}
              aria-current={active ? 'page' : undefined}
              onClick={close}
            />
          )
        })}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {pathname !== STATUS && <StatusStrip />}
        {session.role === 'viewer' && (
          <Text size="sm" c="dimmed" mb="sm">
            {shellTexts.viewer}
          </Text>
        )}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}

/** The path that the navigation marks: the queue of reviews to answer belongs to the reviews. */
function navigationPathOf(pathname: string): string {
  return pathname === '/to-answer' ? '/reviews' : pathname
}

/** The number of dead letters, hidden at zero. */
function DeadLetterCount() {
  const { data } = useQuery(deadCountQuery({}))
  if (data === undefined || data.count === 0) return null
  return (
    <Badge color="red" variant="light" size="sm">
      {number(data.count)}
    </Badge>
  )
}

/** Moves the focus to the new page, or to its `data-page-focus` field, for keyboards and screen readers. */
function useFocusOnPage(pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const main = document.getElementById('main')
    const field = main?.querySelector<HTMLElement>('[data-page-focus]')
    ;(field ?? main)?.focus({ preventScroll: true })
  }, [pathname])
}

function SchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const dark =
    colorScheme === 'dark' ||
    (colorScheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  const label = dark ? shellTexts.switchToLight : shellTexts.switchToDark
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => setColorScheme(dark ? 'light' : 'dark')}
        aria-label={label}
      >
        {dark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  )
}

function UserMenu() {
  const session = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const signOut = async () => {
    try {
      await leave(queryClient)
      await navigate({ to: '/sign-in' })
    } catch (error) {
      notifyFailed(error)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton
          aria-label={shellTexts.userMenu(session.account?.name ?? '', session.user?.name ?? '')}
        >
          <Group gap={4} wrap="nowrap">
            {/* A phone has no room for the name. */}
            <Box hiddenFrom="xs" lh={0}>
              <IconUserCircle size={18} aria-hidden />
            </Box>
            <Text size="sm" maw={160} truncate visibleFrom="xs">
              {session.account?.name}
            </Text>
            <IconChevronDown size={14} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.user?.email}</Menu.Label>
        <MenuLink to="/account">{shellTexts.account}</MenuLink>
        <MenuLink to="/getting-started">{shellTexts.gettingStarted}</MenuLink>
        <Menu.Item component="a" href={`${basePath}/docs`}>
          {shellTexts.apiReference}
        </Menu.Item>
        <Menu.Divider />
        {session.accounts
          .filter(({ id }) => id !== session.account?.id)
          .map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => void enterAccount(id).catch(notifyFailed)}>
              {shellTexts.switchTo(name)}
            </Menu.Item>
          ))}
        <Menu.Item onClick={signOut}>{shellTexts.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
