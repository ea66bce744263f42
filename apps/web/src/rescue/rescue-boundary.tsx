import { Component, type ReactNode } from 'react'

interface RescueProps {
  children: ReactNode
  /** Shown in place of the children once they have failed. */
  instead: ReactNode
  onFailure?(error: Error): void
}

/** Keeps a component that fails to render from taking the rest of the page with it. React needs a class for that. */
export class RescueBoundary extends Component<RescueProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(error: Error): void {
    this.props.onFailure?.(error)
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children
  }
}
