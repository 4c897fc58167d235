import { commonTexts } from './messages/common.ts'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './console.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { CatchBoundary, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PageBroken } from './components/RouteStates.tsx'
import { createQueryClient } from './data/query-client.ts'
import { accountChanges, loadFirst, sessionQuery } from './data/session.ts'
import { createConsoleRouter } from './routes.tsx'
import { cssVariables, theme } from './ui/theme.ts'
import { basePath } from './util/base-path.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')

const loadSession = () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
const queryClient = createQueryClient({
  async onSignedOut() {
    await loadSession()
    // The router checks the session again and redirects to the sign-in page.
    await router.invalidate()
  },
  async onForbidden() {
    const { account, secondFactorNeeded } = await loadSession()
    // An owner may have begun to require a second factor; the router redirects to its page.
    if (secondFactorNeeded || account === null) await router.invalidate()
  },
})
void loadFirst(queryClient)
accountChanges.addEventListener('message', () => window.location.assign(`${basePath}/`))
const router = createConsoleRouter(queryClient)

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <CatchBoundary getResetKey={() => 'console'} errorComponent={PageBroken}>
          <ModalsProvider labels={{ confirm: commonTexts.yes, cancel: commonTexts.cancel }}>
            <Notifications position="bottom-right" />
            <RouterProvider router={router} />
          </ModalsProvider>
        </CatchBoundary>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
