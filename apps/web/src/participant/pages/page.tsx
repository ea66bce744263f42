import type { ReactNode } from 'react'

/** The layout of every participant page. */
export function Page({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <>
      <main className="page">{children}</main>
      {aside && <footer className="page-foot">{aside}</footer>}
    </>
  )
}
