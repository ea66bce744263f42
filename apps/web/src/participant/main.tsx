import { createRoot } from 'react-dom/client'
import './page.css'
import './pages/pages.css'
import { App } from './app.tsx'

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
