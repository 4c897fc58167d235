import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Menu,
  NavLink,
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
  IconLayoutDashboard,
  IconMailOff,
  IconMessages,
  IconMoon,
  IconSend,
  IconServer,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useLiveUpdates } from '../data/live.ts'
import { signOut, useSession } from '../data/session.ts'
import { tellFailed } from '../ui/confirm.tsx'
import { paths } from '../util/paths.ts'
import { Mark } from './Mark.tsx'

const PAGES = [
  { label: 'Overview', to: paths.overview(), icon: IconLayoutDashboard },
  { label: 'Apps', to: paths.apps(), icon: IconApps },
  { label: 'Reviews', to: paths.reviews(), icon: IconMessages },
  { label: 'Destinations', to: paths.destinations(), icon: IconSend },
  { label: 'Deliveries', to: paths.deliveries(), icon: IconActivity },
  { label: 'Dead letters', to: paths.deadLetters(), icon: IconMailOff },
  { label: 'Account', to: paths.account(), icon: IconUserCircle },
] as const
const SYSTEM = { label: 'System', to: paths.system(), icon: IconServer } as const

/** The frame of every signed-in page: navigation on the left, or behind a button where there is no room for it. */
export function Shell() {
  const session = useSession()
  const [opened, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  useLiveUpdates(session.user !== null)
  const pages = session.operator ? [...PAGES, SYSTEM] : PAGES
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#main" className="skip-link">
        Skip to the page
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close navigation' : 'Open navigation'}
              aria-expanded={opened}
            />
            <Mark />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SchemeButton />
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        {pages.map(({ label, to, icon: Icon }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            leftSection={<Icon size={18} aria-hidden />}
            active={to === '/' ? pathname === '/' : pathname.startsWith(to)}
            aria-current={(to === '/' ? pathname === '/' : pathname.startsWith(to)) ? 'page' : undefined}
            onClick={close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}

function SchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const dark =
    colorScheme === 'dark' ||
    (colorScheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  const label = dark ? 'Use light colours' : 'Use dark colours'
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

function PersonMenu() {
  const session = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    try {
      await signOut()
      queryClient.clear()
      await navigate({ to: paths.signIn() })
    } catch (error) {
      tellFailed(error)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton
          aria-label={`${session.account?.name ?? ''}, signed in as ${session.user?.name ?? ''}`}
        >
          <Group gap={4} wrap="nowrap">
            <Text size="sm" maw={160} truncate>
              {session.account?.name}
            </Text>
            <IconChevronDown size={14} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.user?.email}</Menu.Label>
        <Menu.Item component={Link} to={paths.account()}>
          Account
        </Menu.Item>
        <Menu.Item component={Link} to={paths.gettingStarted()}>
          Getting started
        </Menu.Item>
        <Menu.Item component="a" href="/docs">
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={leave}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
