import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@atrium/design/tokens.css'
import '@atrium/design/typeface.css'
import './console.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { CallFailed } from '../api/call.ts'
import { App } from './app.tsx'
import { theme } from './theme.ts'

/** A refusal is final; an instance that restarts is worth another try. */
const isWorthRetrying = (error: Error): boolean =>
  error instanceof CallFailed && (error.status === 0 || error.status >= 502)

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: (failures, error) => failures < 2 && isWorthRetrying(error) } },
})

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </MantineProvider>,
  )
