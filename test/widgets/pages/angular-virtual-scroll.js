import "zone.js";
import "@angular/compiler";
import { ScrollingModule } from "@angular/cdk/scrolling";
import { Component, provideZoneChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";

const App = Component({
  selector: "#root",
  imports: [ScrollingModule],
  styles: [".viewport { height: 300px; width: 400px; border: 1px solid black } .order { height: 50px }"],
  template: `
    <cdk-virtual-scroll-viewport itemSize="50" class="viewport">
      <div *cdkVirtualFor="let item of items()" class="order"><b>{{ item.number }}</b> <span>{{ item.city }}</span></div>
    </cdk-virtual-scroll-viewport>`,
})(
  class {
    items = signal([]);

    async ngOnInit() {
      const response = await fetch("/data/orders");
      this.items.set((await response.json()).rows);
    }
  },
);

bootstrapApplication(App, { providers: [provideZoneChangeDetection()] });
