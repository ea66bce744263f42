import { createRoot } from 'react-dom/client'
import '../page.css'
import '../pages/pages.css'
import '../pages/waiting.css'
import { speakAsBrowser } from '../../text/participant.ts'
import { ReplayedPage } from '../replay/replayed-page.tsx'
import { PreviewPage } from './preview-page.tsx'

await speakAsBrowser()
const root = document.getElementById('root')
if (root) createRoot(root).render(location.search === '?replay' ? <ReplayedPage /> : <PreviewPage />)
