/** Of the package too: scripts/packages/build-agent.ts asks the program for it. */
export const version = '0.3.0'
