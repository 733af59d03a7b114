import "zone.js";
import "@angular/compiler";
import "../node_modules/@angular/material/prebuilt-themes/azure-blue.css";
import { Component, provideZoneChangeDetection, signal } from "@angular/core";
import { MatFormFieldModule } from "@angular/material/form-field";
import { MatSelectModule } from "@angular/material/select";
import { bootstrapApplication } from "@angular/platform-browser";
import { genres } from "../data.ts";

const App = Component({
  selector: "#root",
  imports: [MatFormFieldModule, MatSelectModule],
  template: `
    <mat-form-field>
      <mat-label>Genre</mat-label>
      <mat-select (selectionChange)="show($event.value)">
        @for (genre of genres; track genre) {
          <mat-option [value]="genre">{{ genre }}</mat-option>
        }
      </mat-select>
    </mat-form-field>
    <ul id="list">
      @for (book of books(); track book.id) {
        <li class="book"><b>{{ book.title }}</b> <i>{{ book.price }}</i></li>
      }
    </ul>`,
})(
  class {
    genres = genres;
    books = signal([]);

    async show(genre) {
      const response = await fetch(`/data/books?genre=${genre}`);
      this.books.set((await response.json()).rows);
    }

    async ngOnInit() {
      const response = await fetch("/data/books?limit=20");
      this.books.set((await response.json()).rows);
    }
  },
);

bootstrapApplication(App, { providers: [provideZoneChangeDetection()] });
