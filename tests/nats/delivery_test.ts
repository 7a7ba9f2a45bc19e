import { testDelivery } from "../worlds/delivery.ts";
import { meetAtNats } from "../worlds/nats_world.ts";

testDelivery("nats", () => meetAtNats());
testDelivery("nats without permissions", () => meetAtNats({ open: true }));
