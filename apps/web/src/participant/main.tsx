import { createRoot } from 'react-dom/client'
import './page.css'
import './pages/pages.css'
import './pages/home.css'
import './pages/waiting.css'
import { RescueBoundary } from '../rescue/rescue-boundary.tsx'
import { speakAsBrowser } from '../text/participant.ts'
import { App } from './app.tsx'
import { broken } from './journey/endings.ts'
import { StoppedPage } from './pages/ending-pages.tsx'

await speakAsBrowser()
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <RescueBoundary instead={<StoppedPage stage={broken()} />}>
      <App />
    </RescueBoundary>,
  )
