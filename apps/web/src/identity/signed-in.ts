import { recallSignIn, rememberSignIn } from './sign-in-state.ts'

// The one address that the provider leads back to. It hands its answer to the page that asked and goes there.
const underWay = recallSignIn()
if (underWay) rememberSignIn({ ...underWay, answer: location.search })
location.replace(underWay?.returnTo ?? '/')
