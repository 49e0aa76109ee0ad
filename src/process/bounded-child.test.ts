import { boundedChildContract } from "./bounded-child.contract.ts";
import { runBoundedChild } from "./bounded-child.ts";

boundedChildContract("directly", runBoundedChild);
