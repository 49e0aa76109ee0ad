import { render } from "preact";
import { openSession } from "./net/session.ts";
import { startClock } from "./parts/ago.tsx";
import { followAddress } from "./route.ts";
import { Page } from "./screens/page.tsx";

// The one-time code leaves the address before anything else looks at it.
const opened = openSession();
followAddress();
startClock();
void opened;
const place = document.getElementById("page");
if (place !== null) render(<Page />, place);
